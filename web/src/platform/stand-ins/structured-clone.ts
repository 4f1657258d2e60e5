// Stands in for `@ungap/structured-clone`, which libraries bring for engines that are older than any that runs Docent.
export default structuredClone

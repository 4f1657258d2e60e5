import manifest from '../package.json' with { type: 'json' }

/** Version of Docent, by SemVer: the one place that programs read it from. All packages of the repository have it. */
export const VERSION: string = manifest.version

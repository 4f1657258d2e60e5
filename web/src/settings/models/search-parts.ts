/** Parts of the models' page that are loaded after the others, in one file: they are much alike, so together they are small. */
export { Reranker } from './reranker.tsx'
export { SearchModel } from './search-model.tsx'

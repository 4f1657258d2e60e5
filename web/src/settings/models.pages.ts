// Models of the workspace, which the router loads as one file.
export { ModelsPage } from './models/models-page.tsx'

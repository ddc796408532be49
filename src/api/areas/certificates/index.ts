// Every route of the folder. They belong to the area of charge points.

export { certificateRoutes } from './certificates.js'

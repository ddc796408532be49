// Every route of the folder. They belong to the area of charge points, and stand apart because they send commands.

export { authorizationKeyRoutes } from './authorization-key.js'

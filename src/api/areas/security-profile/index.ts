// Every route of the folder. They belong to the area of charge points, and stand apart because they change how one connects.

export { securityProfileRoutes } from './security-profile.js'

// Every route of the area.

export { auditLogRoutes } from './audit-log.js'

// Version 1 listed the sessions of a charge point by their status. From now on those that run have a list of their own; steps of tables
// behind this one read it.

import { defineMigrationStep } from '../../runtime/store/storage/migrate.js'
import { type Session, sessionsTable } from '../session.js'

export const runningSessionsAreListed = defineMigrationStep<Session>(sessionsTable, (stored) => stored as Session)

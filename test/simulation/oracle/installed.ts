// Rows of charge points that no organization has claimed: nobody is told of what happens to them.

import type { Row } from './disk-watch.js'

export function isInstallers({ organization_id }: Row): boolean {
  return String(organization_id).startsWith('ins_')
}

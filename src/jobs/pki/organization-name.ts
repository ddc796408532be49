// The operator's name in client certificates: what their organization (O) has to contain where the setting cpo_name is set
// (Improved security for OCPP 1.6-J, A00.FR.404).

/** Names are compared without regard to case, as directories compare them (RFC 4517, caseIgnoreMatch). */
export function namesOperator(organizations: readonly string[], cpoName: string): boolean {
  const wanted = folded(cpoName)
  return organizations.some((organization) => folded(organization).includes(wanted))
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** For people. */
export function shownOrganization([first]: readonly string[]): string {
  return first === undefined ? 'missing' : JSON.stringify(first.slice(0, 100))
}

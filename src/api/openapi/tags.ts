// The areas of the interface, in the order in which the reference shows them, each with what it is for.

export const tagDescriptions: Readonly<Record<string, string>> = {
  'Charge points': 'Register charge points, find them, and see their state, their connectors and why one was refused.',
  'Operator commands':
    'Start and stop sessions, set power limits, reset and update: one charge point or up to a hundred.',
  'OCPP 1.6 commands': 'Every OCPP 1.6 request that a central system can send, as the standard names it.',
  Reservations: 'Keep a connector for one id tag until a time.',
  Sessions: 'Charging sessions: running, ended, and those that a charge point never ended.',
  'Id tags': 'The cards and tokens that may charge, and those that were seen without being registered.',
  Portal: "A driver's view of sessions: what they cost and why, receipts and disputes.",
  'Guest sessions': 'Charging without an account: authorize a payment, charge, pay, get a receipt.',
  Tariffs: 'What charging costs: components, rates by time, and which charge point sells at which tariff.',
  'Billing rules': 'Discounts, surcharges and bounds that apply to ended sessions, with a test and a simulation.',
  Billing: 'Invoices, revenue, disputes, and transactions that could not be matched to a session.',
  Organizations: 'The organization itself: settings, members, invitations and plan.',
  'API keys': 'Create, rotate and revoke keys. A key is shown once.',
  'Audit log': 'Who changed what, and when.',
  Alerts: 'What needs somebody: faults, lost connections, refused connections and failed payments.',
  Events: 'What happened, as a feed, as a stream and as webhooks, with the schema of each event.',
  Webhooks: 'Endpoints that receive events, their secrets, their deliveries and replays.',
  'Site owners': 'Owners of sites: invitation, profile, bank details, documents and approval.',
  'Integration requests': 'Ask the operator of the installation for an integration, and answer such requests.',
  Operations: 'Whether the service lives, whether it is ready, and its metrics.',
  Reference: 'This document and the page that shows it.',
}

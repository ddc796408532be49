// Who may start and stop transactions by raw commands.

export const sessionScopes = ['write:charge_points', 'write:commands', 'write:sessions'] as const

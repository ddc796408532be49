// A thread for tests of lanes: its jobs end at once, or never let go of the thread.

export function run({ hangs = false }: { readonly hangs?: boolean }): string {
  while (hangs);
  return 'done'
}

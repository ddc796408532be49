export function reportPage(results: unknown): string {
  return JSON.stringify(results)
}

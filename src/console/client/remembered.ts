// What this browser keeps for the console from one visit to the next. Where it keeps nothing, or has no room, what was chosen lasts as long as the page.

export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: string, text: string): void {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing depends on it.
  }
}

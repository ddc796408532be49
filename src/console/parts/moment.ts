// Moments in fields of the type datetime-local, which have no zone: they are those of the browser.

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 2026-11-22T14:32 */
export function localMoment(of: string | number): string {
  const at = new Date(of)
  const date = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`
  return `${date}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`
}

/** As the API has it; null where nothing was given. */
export function momentIn(text: string | undefined): string | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

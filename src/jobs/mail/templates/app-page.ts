// Links to pages of the operator's own application.

export function appPage(appUrl: string, page: string): string {
  return `${appUrl.replace(/\/+$/, '')}/${page}`
}

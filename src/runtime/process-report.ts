// What Node.js reports of this process. A report takes milliseconds to make, and a thread asks for more than one thing of it when it starts.

export interface ProcessReport {
  /** Of a Linux with glibc; undefined elsewhere. */
  readonly glibc: string | undefined
  /** How many files the process may open: a number or `unlimited`; undefined where there is no such limit. */
  readonly openFiles: unknown
}

interface Reported {
  readonly header: { readonly glibcVersionRuntime?: string }
  readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } }
}

let made: ProcessReport | undefined

/** As it was when this thread first asked. */
export function processReport(): ProcessReport {
  made ??= makeReport()
  return made
}

function makeReport(): ProcessReport {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  // A report lists network interfaces unless told not to, and may ask name servers about them.
  const { excludeNetwork = false } = report
  report.excludeNetwork = true
  const { header, userLimits } = report.getReport() as unknown as Reported
  report.excludeNetwork = excludeNetwork
  return { glibc: header.glibcVersionRuntime, openFiles: userLimits?.open_files?.soft }
}

// What is printed, as jobs by name: a receipt or an invoice, each of an organization, and the report of a commissioning.

import type { CommissioningReport } from './commissioning-report.js'
import type { Invoice } from './invoice.js'
import type { Receipt } from './receipt.js'

export const printJobs = ['receipt-pdf', 'invoice-pdf', 'commissioning-report-pdf'] as const
export type PrintJob = (typeof printJobs)[number]
export type PrintInput = Receipt | Invoice | CommissioningReport

export function isPrintJob(job: string): job is PrintJob {
  return (printJobs as readonly string[]).includes(job)
}

// The job threads: slow work that would hold up a shard or a front; job-pools.ts says which runs where. A job is a named function from input to output; a new one is a line in the table.

import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { type SignCertificateInput, type Signing, signCertificateJob } from '../actors/charge-point/messages.js'
import type { PaymentRequest } from '../actors/guest-session/payment.js'
import type { SendMailRequest } from '../actors/mail/messages.js'
import {
  type CheckPasskeyInput,
  checkPasskeyJob,
  type MakePasskeyInput,
  makePasskeyJob,
} from '../jobs/passkeys/messages.js'
import {
  type CheckPasswordInput,
  checkPasswordJob,
  type HashPasswordInput,
  hashPasswordJob,
} from '../jobs/passwords/messages.js'
import {
  type Generated,
  type GenerateInput,
  generateCertificateJob,
  type PublishedAuthority,
  type PublishInput,
  publishAuthorityJob,
} from '../jobs/pki/certificate-jobs.js'
import type { ClientAuthority } from '../jobs/pki/client-authority.js'
import {
  type BeginSingleSignOnInput,
  beginSingleSignOnJob,
  type EndSingleSignOnInput,
  endSingleSignOnJob,
} from '../jobs/single-sign-on/messages.js'
import type { CommissioningReport } from '../records/commissioning-report.js'
import type { Invoice } from '../records/invoice.js'
import type { Receipt } from '../records/receipt.js'
import { systemClock } from '../runtime/clock.js'
import type { Settings } from '../settings.js'
import type { Printed } from './log-unshown.js'
import { type JobThreadStart, signWhereMadeJob } from './threads.js'
import type { Trusting } from './trusted-in-time.js'

const { niceness = 0 } = (workerData ?? {}) as Partial<JobThreadStart>
// Elsewhere than on Linux it would be the priority of the whole process.
if (process.platform === 'linux' && niceness > getPriority()) setPriority(niceness)

export interface JobTask {
  readonly job: string
  readonly input: unknown
  readonly settings: Settings
}

type Job = (input: never, settings: Settings) => unknown

// What a job needs is loaded by the first one that does: a thread that signs needs no typeface.
const jobs: Readonly<Record<string, Job>> = {
  [signCertificateJob]: sign,
  [signWhereMadeJob]: async (input: SignCertificateInput, settings: Settings) => {
    const { isSigningAuthorityMade } = await import('../jobs/pki/signing-authority.js')
    return isSigningAuthorityMade(settings, systemClock.now()) ? sign(input, settings) : undefined
  },
  [generateCertificateJob]: async (input: GenerateInput, settings: Settings): Promise<Generated & Trusting> => {
    const { generateCertificate } = await import('../jobs/pki/generate-certificate.js')
    const { canIssue, keyNotGiven } = await import('../jobs/pki/authority.js')
    if (!canIssue(settings)) return { made: false, reason: keyNotGiven }
    return withAuthority(settings, (authority, now) => generateCertificate(input, settings.cpo_name, authority, now))
  },
  [publishAuthorityJob]: async (input: PublishInput, settings: Settings): Promise<PublishedAuthority> =>
    (await import('../jobs/pki/publish-authority.js')).publishAuthority(input, settings, systemClock.now()),
  payment: async (input: PaymentRequest, settings: Settings) =>
    (await import('../jobs/payments/providers.js')).askProvider(input, settings),
  'send-mail': async (input: SendMailRequest, settings: Settings) =>
    (await import('../jobs/mail/send-mail.js')).sendMail(input, settings),
  [hashPasswordJob]: async (input: HashPasswordInput) =>
    (await import('../jobs/passwords/passwords.js')).hashPassword(input),
  [checkPasswordJob]: async (input: CheckPasswordInput) =>
    (await import('../jobs/passwords/passwords.js')).checkPassword(input),
  [makePasskeyJob]: async (input: MakePasskeyInput) =>
    (await import('../jobs/passkeys/passkeys.js')).makePasskey(input),
  [checkPasskeyJob]: async (input: CheckPasskeyInput) =>
    (await import('../jobs/passkeys/passkeys.js')).checkPasskey(input),
  [beginSingleSignOnJob]: async (input: BeginSingleSignOnInput, settings: Settings) =>
    (await import('../jobs/single-sign-on/single-sign-on.js')).beginSingleSignOn(input, settings, systemClock.now()),
  [endSingleSignOnJob]: async (input: EndSingleSignOnInput, settings: Settings) =>
    (await import('../jobs/single-sign-on/single-sign-on.js')).endSingleSignOn(input, settings, systemClock.now()),
  'receipt-pdf': async (receipt: Receipt, settings: Settings) => {
    const { receiptPdf } = await import('../jobs/documents/receipt-pdf.js')
    const { number, document } = receipt
    const printed = { document: 'receipt', number, id: document.session.session_id } as const
    return withUnshownLogged(printed, settings, (unshown) => receiptPdf(receipt, unshown))
  },
  'invoice-pdf': async (invoice: Invoice, settings: Settings) => {
    const { invoicePdf } = await import('../jobs/documents/invoice-pdf.js')
    const printed = { document: 'invoice', number: invoice.number, id: invoice.invoice_id } as const
    return withUnshownLogged(printed, settings, (unshown) => invoicePdf(invoice, unshown))
  },
  'commissioning-report-pdf': async (report: CommissioningReport, settings: Settings) => {
    const { commissioningReportPdf } = await import('../jobs/documents/commissioning-report-pdf.js')
    const printed = { document: 'commissioning report', id: report.session.session_id } as const
    return withUnshownLogged(printed, settings, (unshown) => commissioningReportPdf(report, unshown))
  },
}

async function sign(input: SignCertificateInput, settings: Settings): Promise<Signing & Trusting> {
  const { signClientCertificate } = await import('../jobs/pki/sign-client-certificate.js')
  return withAuthority(settings, (authority, now) =>
    signClientCertificate({ ...input, cpoName: settings.cpo_name }, authority, now),
  )
}

/** The first use makes the installation's own authority, which fronts have to trust before anybody gets what it has signed. */
async function withAuthority<Issued extends object>(
  settings: Settings,
  issue: (authority: ClientAuthority, now: number) => Issued,
): Promise<Issued & Trusting> {
  const { trustedAuthorities } = await import('../jobs/pki/authority.js')
  const { signingAuthority } = await import('../jobs/pki/signing-authority.js')
  const now = systemClock.now()
  const issued = issue(signingAuthority(settings, now), now)
  const mark = trustedAuthorities(settings, now)?.mark
  return { ...issued, ...(mark !== undefined && { trust: mark }) }
}

async function withUnshownLogged(
  printed: Printed,
  settings: Settings,
  print: (unshown: Set<string>) => Promise<Buffer>,
): Promise<Buffer> {
  const unshown = new Set<string>()
  const pdf = await print(unshown)
  if (unshown.size > 0) (await import('./log-unshown.js')).logUnshown(printed, unshown, settings)
  return pdf
}

/** As job-threads.ts asks where many jobs share the thread. */
export function answers(): void {}

export function runJob({ job, input, settings }: JobTask): unknown {
  const found = jobs[job]
  if (found === undefined) throw new Error(`there is no job ${job}`)
  return found(input as never, settings)
}

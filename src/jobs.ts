// The job threads: slow work that would hold up a shard or a front. A job is a named function from input to output; a new one is a line in the table.

import { readFileSync } from 'node:fs'
import type { SignCertificateInput } from './actors/charge-point/sign-certificate.js'
import { signClientCertificate } from './edge/sign-client-certificate.js'
import type { Settings } from './settings.js'

export interface JobTask {
  readonly job: string
  readonly input: unknown
  readonly settings: Settings
}

type Job = (input: never, settings: Settings) => unknown

const jobs: Readonly<Record<string, Job>> = {
  'sign-certificate': (
    input: SignCertificateInput,
    { client_ca_key_file: keyFile, tls_client_ca_file: authorityFile }: Settings,
  ) => {
    if (keyFile === undefined || authorityFile === undefined) throw new Error('there is no authority to sign with')
    const authority = { keyPem: readFileSync(keyFile, 'utf8'), certificatePem: readFileSync(authorityFile, 'utf8') }
    return signClientCertificate(input, authority, new Date())
  },
}

export function runJob({ job, input, settings }: JobTask): unknown {
  const found = jobs[job]
  if (found === undefined) throw new Error(`there is no job ${job}`)
  return found(input as never, settings)
}

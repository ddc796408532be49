// What is asked of the lane that checks passkeys: it follows the passwords of installers there, and costs about as much as one.

export const makePasskeyJob = 'make-passkey'
export const checkPasskeyJob = 'check-passkey'

interface PasskeyInput {
  /** Whose turn it takes: the network that the request came from. */
  readonly owner: string
  /** In base64url, as its browser was sent it. */
  readonly challenge: string
  /** The origin of the page, and its host. */
  readonly origin: string
  readonly rpId: string
}

/** As browsers write it (WebAuthn, RegistrationResponseJSON). */
export interface MakePasskeyInput extends PasskeyInput {
  readonly credential: {
    readonly id: string
    readonly response: {
      readonly clientDataJSON: string
      readonly attestationObject: string
      readonly transports?: readonly string[]
    }
  }
}

/** Undefined where it is not good. */
export interface MadePasskey {
  readonly credential_id: string
  readonly public_key: string
  readonly counter: number
  readonly is_synced: boolean
}

/** As browsers write it (WebAuthn, AuthenticationResponseJSON). */
export interface CheckPasskeyInput extends PasskeyInput {
  readonly credential: {
    readonly id: string
    readonly response: {
      readonly clientDataJSON: string
      readonly authenticatorData: string
      readonly signature: string
      readonly userHandle?: string | undefined
    }
  }
  readonly stored: { readonly credential_id: string; readonly public_key: string; readonly counter: number }
}

/** Undefined where it is not good. */
export interface CheckedPasskey {
  readonly counter: number
}

export function isPasskeyJob(job: string): boolean {
  return job === makePasskeyJob || job === checkPasskeyJob
}

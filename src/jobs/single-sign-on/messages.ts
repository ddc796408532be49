// What is asked of the lane that talks to the identity provider of the installation (OpenID Connect).

export const beginSingleSignOnJob = 'begin-single-sign-on'
export const endSingleSignOnJob = 'end-single-sign-on'

export interface SingleSignOnInput {
  /** Whose turn it takes: the network that the request came from. */
  readonly owner: string
  /** A random text that the browser keeps. State, nonce and the verifier (PKCE) are made of it, and stored nowhere. */
  readonly attempt: string
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
}

/** Answered with the address of the provider that the browser goes to. */
export type BeginSingleSignOnInput = SingleSignOnInput

export interface EndSingleSignOnInput extends SingleSignOnInput {
  /** The query with which the browser came back. */
  readonly query: string
}

/** `reason` is for the log of the operator, and shows no secret. */
export type EndedSingleSignOn =
  | { readonly ok: true; readonly email: string }
  | { readonly ok: false; readonly reason: string }

export function isSingleSignOnJob(job: string): boolean {
  return job === beginSingleSignOnJob || job === endSingleSignOnJob
}

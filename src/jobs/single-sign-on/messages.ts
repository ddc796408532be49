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
  /** The provider is to ask them who they are, even where it knows them. */
  readonly isAgain: boolean
}

/** Answered with the address of the provider that the browser goes to. */
export type BeginSingleSignOnInput = SingleSignOnInput

export interface EndSingleSignOnInput extends SingleSignOnInput {
  /** The query with which the browser came back. */
  readonly query: string
}

export type EndedSingleSignOn =
  /** When the provider last asked them who they are, in wall ms; 0 where it does not say. */
  | { readonly ok: true; readonly email: string; readonly authenticatedAt: number }
  /** `reason` is for the log of the operator, and shows no secret. `isNotAsked`: they are known, but were not asked again. */
  | { readonly ok: false; readonly reason: string; readonly isNotAsked?: boolean }

export function isSingleSignOnJob(job: string): boolean {
  return job === beginSingleSignOnJob || job === endSingleSignOnJob
}

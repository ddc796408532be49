// What the tests use of oidc-provider, which brings no types of its own.

declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    /** Somebody who is signed in there. */
    readonly Session: {
      readonly prototype: {
        /** When they were asked who they are, in seconds. */
        authTime(): number | undefined
      }
    }
  }
}

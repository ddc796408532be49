// What authenticators have signed (WebAuthn, 7.1 and 7.2), checked by a library that reads their formats. The device has asked for a finger, a
// face or a PIN each time: a passkey alone signs somebody in.

import {
  type AuthenticatorTransport,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { CheckedPasskey, CheckPasskeyInput, MadePasskey, MakePasskeyInput } from './messages.js'

export async function makePasskey({
  challenge,
  origin,
  rpId,
  credential,
}: MakePasskeyInput): Promise<MadePasskey | undefined> {
  const { id, response } = credential
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: response.attestationObject,
          transports: [...(response.transports ?? [])] as AuthenticatorTransport[],
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    })
    if (!verified) return undefined
    return {
      credential_id: registrationInfo.credential.id,
      public_key: Buffer.from(registrationInfo.credential.publicKey).toString('base64url'),
      counter: registrationInfo.credential.counter,
      is_synced: registrationInfo.credentialDeviceType === 'multiDevice',
    }
  } catch {
    // The library throws for whatever is wrong with what somebody has sent.
    return undefined
  }
}

export async function checkPasskey({
  challenge,
  origin,
  rpId,
  credential,
  stored,
}: CheckPasskeyInput): Promise<CheckedPasskey | undefined> {
  const { id, response } = credential
  const { userHandle, ...signed } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: stored.counter,
      },
    })
    return verified ? { counter: authenticationInfo.newCounter } : undefined
  } catch {
    return undefined
  }
}

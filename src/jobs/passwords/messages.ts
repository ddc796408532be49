// What is asked of the lane that hashes passwords. A password is in the question alone, never in an answer.

export const hashPasswordJob = 'hash-password'
export const checkPasswordJob = 'check-password'

interface PasswordInput {
  /** Whose turn it takes: the network that the request came from, since nobody is known yet. */
  readonly owner: string
  readonly password: string
}

/** Answered with the hash. */
export type HashPasswordInput = PasswordInput

/** Answered with whether it is the password. Without a hash there is nobody whose password it could be, and the same work is done. */
export interface CheckPasswordInput extends PasswordInput {
  readonly hash: string | undefined
}

export function isPasswordJob(job: string): boolean {
  return job === hashPasswordJob || job === checkPasswordJob
}

// The limits of second factors.

const minute = 60_000

/** Part of the table in `limits.ts`. */
export const secondFactorLimits = {
  challengeLifetime: { value: 10 * minute, unit: 'ms', reason: 'Time to find the phone or the key.' },
  challengeAttempts: {
    value: 5,
    unit: 'requests',
    reason: 'Wrong codes for one challenge: the password is asked for again afterwards.',
  },
  codeAttempts: {
    value: 20,
    unit: 'requests',
    reason:
      'Wrong codes per account and hour: of someone who has the password, one in 16,000 guesses a code within the hour.',
  },
  challengesOpen: { value: 10_000, unit: 'items', reason: 'Anyone can start a sign-in with a passkey.' },
  confirmationLifetime: {
    value: 15 * minute,
    unit: 'ms',
    reason: 'Dangerous changes of one sitting are confirmed once.',
  },
  passkeysPerUser: { value: 20, unit: 'items', reason: 'One for each device, and some spare keys.' },
  passkeyFieldLength: {
    value: 8_192,
    unit: 'characters',
    reason: 'An attestation with its certificates has 3,000 to 6,000.',
  },
  recoveryCodes: { value: 10, unit: 'items', reason: 'Fits on a note, and lasts for years.' },
} as const

// The limits of accounts: passwords, sessions, links and attempts to guess them, teams, roles and approvals.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Part of the table in `limits.ts`. */
export const accountLimits = {
  passwordMinimum: { value: 12, unit: 'characters', reason: 'Shorter passwords fall to offline guessing.' },
  passwordMaximum: { value: 256, unit: 'characters', reason: 'Bounds the work of one argon2id hash.' },
  sessionIdle: {
    value: 14 * day,
    unit: 'ms',
    reason: 'An idle console signs out after two weeks, unless the installation says otherwise.',
  },
  sessionMaximum: {
    value: 90 * day,
    unit: 'ms',
    reason: 'No session lasts forever. An installation can set it.',
  },
  sessionIdleMinimum: {
    value: 15 * minute,
    unit: 'ms',
    reason: 'Shorter, and reading a replay signs out. An installation can set it from here on.',
  },
  sessionMaximumMinimum: {
    value: hour,
    unit: 'ms',
    reason: 'The shortest absolute lifetime of a session that an installation can set.',
  },
  sessionMaximumMaximum: {
    value: 365 * day,
    unit: 'ms',
    reason: 'The longest lifetime of a session that an installation can set, idle or absolute.',
  },
  devicesPerUser: {
    value: 100,
    unit: 'items',
    reason: 'Devices of an account that are recognised at a sign-in.',
  },
  deviceMailPoll: {
    value: 10 * second,
    unit: 'ms',
    reason: 'How soon a sign-in from a new device is mailed.',
  },
  sessionRotation: {
    value: 12 * hour,
    unit: 'ms',
    reason: 'A stolen cookie is detected within half a day.',
  },
  sessionRotationGrace: {
    value: minute,
    unit: 'ms',
    reason: 'Requests in flight with the old cookie still succeed.',
  },
  preloadCheck: {
    value: 200,
    unit: 'ms',
    reason:
      'The check of the session of a page may take this long; otherwise the page is sent without preloads.',
  },
  sessionsPerUser: { value: 50, unit: 'items', reason: 'The oldest session ends when another begins.' },
  rolesPerProject: {
    value: 50,
    unit: 'items',
    reason: 'Own roles of one project: a matrix that fits a screen.',
  },
  approvalsAtMost: { value: 5, unit: 'items', reason: 'More reviews of one change would take days.' },
  ownersPerFlag: { value: 20, unit: 'items', reason: 'With more owners, none of them answers for a flag.' },
  invitationLifetime: {
    value: 7 * day,
    unit: 'ms',
    reason: 'Long enough for a holiday, short enough for a mailbox.',
  },
  passwordResetLifetime: { value: hour, unit: 'ms', reason: 'The link opens the account.' },
  tokensPerUser: { value: 100, unit: 'items', reason: 'More means that a script does not clean up.' },
  tokenLifetimeMaximum: {
    value: 2 * 365 * day,
    unit: 'ms',
    reason: 'A token that expires does so within a useful time.',
  },
  deviceLoginLifetime: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'Long enough to sign in to the console, too short to guess a code.',
  },
  deviceLoginInterval: {
    value: 3 * second,
    unit: 'ms',
    reason: 'Someone who approves a device waits no longer.',
  },
  deviceLoginsOpen: { value: 1_000, unit: 'items', reason: 'Anyone can ask for a sign-in.' },
  signInAttempts: {
    value: 10,
    unit: 'requests',
    reason: 'Per minute and pair of address and account: stops guessing.',
  },
  signInAttemptsByAddress: {
    value: 60,
    unit: 'requests',
    reason: 'Per minute and address, whatever the account: an office shares one.',
  },
  signInAttemptsByAccount: {
    value: 100,
    unit: 'requests',
    reason:
      'Per hour and account, from all addresses that have not signed in to it: slows a distributed attack without locking the account.',
  },
  auditedRefusals: {
    value: 600,
    unit: 'items',
    reason: 'Per hour, from callers who are not signed in, so that they cannot fill the audit log.',
  },
  auditSealInterval: {
    value: second,
    unit: 'ms',
    reason: 'How long an audit entry may wait for its seal: until then a removal leaves no trace.',
  },
  auditSealBatch: { value: 1_000, unit: 'items', reason: 'Audit entries sealed per transaction.' },
  auditPage: {
    value: 2_000,
    unit: 'items',
    reason: 'Audit entries in memory at once while a log is exported or verified.',
  },
  auditSearched: {
    value: 200_000,
    unit: 'items',
    reason:
      'Audit entries that a search reads for one page: filters have no index, and millions would take too long.',
  },
  auditSearchLength: { value: 200, unit: 'characters', reason: 'Bounds the words of a search.' },
  auditExportTimeout: {
    value: hour,
    unit: 'ms',
    reason: 'How long the command reads an export: a million entries take minutes.',
  },
  publicUrlLength: { value: 300, unit: 'characters', reason: 'A host name has 253, with scheme and port.' },
  credentialsRefused: {
    value: 600,
    unit: 'requests',
    reason:
      'Per minute and address, with a session or token that is not valid, and such requests in progress: each one costs a query.',
  },
  signInAccountWindow: { value: hour, unit: 'ms', reason: 'The window of the limit by account.' },
  signingSecrets: { value: 2, unit: 'items', reason: 'The current and the previous one, during a rotation.' },
  signatureClockSkew: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'A signature is accepted this long after its expiry, because clocks of servers differ.',
  },
  signedUserDays: { value: 14, unit: 'days', reason: 'Two weeks of counts before signatures are required.' },
  teams: { value: 2_000, unit: 'items', reason: 'The groups of a large directory that matter here.' },
  teamMembers: {
    value: 20_000,
    unit: 'items',
    reason: 'Everyone in a company of twenty thousand, in one team.',
  },
  teamsPerProject: { value: 200, unit: 'items', reason: 'More roles than an access review can read.' },
  streamRightDelay: {
    value: 500,
    unit: 'ms',
    reason:
      'Streams check their access this soon after a change of members, once for all changes of a burst.',
  },
} as const

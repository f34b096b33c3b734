// The single catalogue of errors. Every refused request gets one of these codes.

export interface CatalogueEntry {
  status: number
  title: string
  /** When it occurs, and how to fix it. Shown on the error's page. */
  explanation: string
  /** The explanation only introduces `errors`: who prints them all can leave it out. */
  introducesErrors?: true
}

export const errors = {
  'invalid-request': {
    status: 400,
    title: 'The request is invalid',
    explanation: '`errors` lists every problem with a JSON pointer. Fix them and send the request again.',
    introducesErrors: true,
  },
  'malformed-body': {
    status: 400,
    title: 'The body could not be parsed',
    explanation:
      'The body does not match its content type: malformed JSON, a duplicate member, invalid UTF-8 or a corrupt compressed stream. Nothing was changed.',
  },
  'unsupported-encoding': {
    status: 415,
    title: 'Unsupported content type or encoding',
    explanation:
      'Send `content-type: application/json` without a content encoding, or the type that the endpoint documents.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in first',
    explanation:
      'The request has no credential, or the credential is invalid, expired or revoked. Sign in again or send a valid API token.',
  },
  'invalid-key': {
    status: 401,
    title: 'Unknown SDK key',
    explanation: 'Check the key in the settings of the environment. A key belongs to one environment.',
  },
  'key-revoked': {
    status: 401,
    title: 'The SDK key was revoked',
    explanation: 'Use an active key of the environment.',
  },
  'origin-not-allowed': {
    status: 403,
    title: 'Origin not allowed',
    explanation:
      'The request came from a web origin that is not allowed. For a client key, add the origin to the environment. For the console, set the public URL of the installation to the address in the browser.',
  },
  'user-not-signed': {
    status: 403,
    title: 'The user is not signed',
    explanation:
      'The environment requires that browsers send a signature of the targeting key, made by the server of the application. The detail says whether it is missing, invalid or expired. Sign the user again, or evaluate without a targeting key.',
  },
  forbidden: {
    status: 403,
    title: 'Permission denied',
    explanation:
      'The detail names the missing permission. A project admin can grant a role that includes it.',
  },
  'second-factor-required': {
    status: 403,
    title: 'A second factor is required',
    explanation:
      'The installation requires a second factor of this account. Add an authenticator app or a passkey under Account, Second factor.',
  },
  'confirmation-required': {
    status: 403,
    title: 'Confirm that it is you',
    explanation:
      'The change needs a session that was confirmed in the last 15 minutes: by a second factor, or at the provider that signed you in. The console asks for it; otherwise call `confirmSession` or `startProviderConfirmation` and repeat the request.',
  },
  'single-sign-on-required': {
    status: 403,
    title: 'Sign in with your provider',
    explanation:
      'The installation allows single sign-on only. Use one of the buttons of the sign-in page. If no provider works, the owner who keeps a password can sign in, and `telltale allow-passwords` on the host allows passwords again.',
  },
  'sign-in-refused': {
    status: 403,
    title: 'This account cannot sign in',
    explanation:
      'The provider knows you, but its account may not sign in here: it has no verified e-mail address of an allowed domain, the account here is disabled, or another account of the provider uses it. The detail says which. An owner can change it under Administration, Single sign-on.',
  },
  'sign-in-failed': {
    status: 403,
    title: 'The sign-in failed',
    explanation:
      'The provider refused the sign-in, or its response is not valid. The detail says which, and the log of the server has the cause. Start again; if it fails again, an owner runs a test sign-in under Administration, Single sign-on.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'It does not exist, or you do not have access to its project.',
  },
  'flag-not-found': {
    status: 404,
    title: 'Flag not found',
    explanation: 'The project has no active flag with this key, or the SDK key cannot see it.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The `Allow` header lists the supported methods.',
  },
  'version-conflict': {
    status: 409,
    title: 'Someone else saved first',
    explanation:
      'The version in `If-Match` is no longer current. `current` is the saved state: compare, then save on top of it.',
  },
  'plan-outdated': {
    status: 409,
    title: 'The project changed since the plan',
    explanation:
      'What the plan would change was changed in the meantime, perhaps by another application. Nothing was changed: plan again, then apply.',
  },
  'already-exists': {
    status: 409,
    title: 'Already exists',
    explanation: 'This key, name or address is already taken. Choose another one.',
  },
  'in-use': {
    status: 409,
    title: 'Still in use',
    explanation: 'The detail says what uses it. Remove that reference first.',
  },
  'wrong-state': {
    status: 409,
    title: 'Not possible in the current state',
    explanation:
      'The detail names the current state. Someone else may have acted first: reload, then choose again.',
  },
  'budget-spent': {
    status: 409,
    title: 'The budget of harm is spent',
    explanation:
      'Flag variations affected as many users this month as the environment allows, and its rollouts wait until the next month. The ledger lists the variations. Maintainers may continue: send the request again with a `comment` that says why.',
  },
  'layer-full': {
    status: 409,
    title: 'The layer has no room',
    explanation:
      'The running experiments of the layer hold more than the requested share leaves. The detail says how much is free: choose a smaller share, end another experiment of the layer, or use another layer.',
  },
  'guard-running': {
    status: 409,
    title: 'A guarded rollout depends on this',
    explanation:
      'The change affects what a running rollout compares: its split, the values of its two variations, the rules above it, its segments or its prerequisites. `rollouts` lists them. Wait until they end, roll them back, or send the change again with their ids in `endsEvidenceOf`, which restarts their evidence.',
  },
  'last-owner': {
    status: 409,
    title: 'The last owner cannot be removed',
    explanation: 'An installation always has at least one active owner. Make someone else an owner first.',
  },
  managed: {
    status: 409,
    title: 'Managed by the setup file',
    explanation:
      'The setup file declares this with `"manage": true`. Change it there and restart the server.',
  },
  'built-in': {
    status: 409,
    title: 'Built in',
    explanation: 'Every project has this. It cannot be changed or deleted.',
  },
  'link-expired': {
    status: 410,
    title: 'The link no longer works',
    explanation:
      'Invitation and password links work once and expire. A share link works until it expires or is revoked, a link to the toolbar until it expires. Ask for a new one.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Body too large',
    explanation: 'The detail names the limit.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key already used',
    explanation: 'The key was sent with a different request. Send a new key with each new request.',
  },
  'prerequisite-cycle': {
    status: 422,
    title: 'The prerequisites form a cycle',
    explanation:
      '`errors` lists the flags of the cycle in order. Remove one of these prerequisites, then save again.',
    introducesErrors: true,
  },
  'invalid-rule': {
    status: 422,
    title: 'Invalid targeting rule',
    explanation:
      'A rule refers to something that does not exist, or an operand is invalid for its operator, such as a regular expression that does not compile or a malformed version or date. `errors` points at each one.',
  },
  'invalid-weights': {
    status: 422,
    title: 'The weights do not sum to 100 000',
    explanation: 'Weights are whole numbers from 0 to 100 000, and those of one split sum to 100 000.',
  },
  'invalid-rollout': {
    status: 422,
    title: 'Invalid rollout plan',
    explanation:
      '`errors` points at each problem: stages that do not grow or exceed the available share, a variation that this rule does not serve, a metric that does not exist.',
    introducesErrors: true,
  },
  'invalid-experiment': {
    status: 422,
    title: 'Invalid experiment',
    explanation:
      '`errors` points at each problem: a rule that does not split, a control that it does not serve, a metric that does not exist or is listed twice.',
    introducesErrors: true,
  },
  'unit-not-measured': {
    status: 422,
    title: 'The unit of the split is not in the telemetry',
    explanation:
      'Units are counted from the telemetry of browsers and servers. The context of clients must include the attribute that the split buckets on.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation: 'Wait for `Retry-After`, then send requests more slowly.',
  },
  'query-too-large': {
    status: 422,
    title: 'Query too large',
    explanation:
      'The query exceeds the limits on time, memory or rows. Narrow the time range or the filters.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Daily data quota exceeded',
    explanation:
      'The installation limits the telemetry of an environment per day. The quota resets at midnight UTC. Until then, sample fewer sessions or ask an owner to raise the quota.',
  },
  'spool-full': {
    status: 503,
    title: 'Telemetry buffer full',
    explanation:
      'Accepted telemetry is waiting for the telemetry engine, or at an edge for its server, and the buffer has no room left. Nothing in this batch was stored: keep it and send it again after `Retry-After`. `lanes` lists what is refused; other kinds are still accepted in separate batches.',
  },
  'server-busy': {
    status: 503,
    title: 'Server overloaded',
    explanation:
      'The server limits concurrent work to its memory and CPU, and serves flags first. Nothing was changed: send the request again after `Retry-After`.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'Storage engine unavailable',
    explanation: 'The server restarts its engines automatically. Try again after `Retry-After`.',
  },
  'provider-unavailable': {
    status: 503,
    title: 'The sign-in provider does not respond',
    explanation:
      'The provider could not be reached, or did not respond within ten seconds. Nothing was changed, and sessions go on. Try again later, or sign in another way.',
  },
  'too-many-streams': {
    status: 503,
    title: 'Too many open event streams',
    explanation:
      'The server has reached its limit of event streams. Flag requests still work: poll, and retry the stream after `Retry-After`.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    explanation: 'The error was logged with the request id. Nothing was changed.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errors

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/**
 * One invalid input: its location (RFC 6901 JSON pointer into the body, or `?name` for a query parameter) and the
 * problem.
 */
export interface Fault {
  pointer: string
  message: string
}

interface ProblemContext {
  detail?: string
  errors?: Fault[]
  /** The saved resource, with a version conflict. */
  current?: unknown
  /** Seconds until a retry makes sense. */
  retryAfterSeconds?: number
  /** The missing permission. */
  permission?: string
  /** The lanes refused while the spool is nearly full. */
  lanes?: readonly string[]
  /** Running rollouts that depend on what was to be changed. */
  rollouts?: { id: string; env: string; flag: string; parts: readonly string[] }[]
  /** A shorter period that is not too large to query. */
  shorter?: { from: string; to: string }
}

/** An expected error. Thrown anywhere below a route, where it becomes an RFC 9457 problem details response. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly context: ProblemContext

  constructor(code: ErrorCode, context: ProblemContext) {
    super(context.detail ?? errors[code].title)
    this.name = 'Problem'
    this.code = code
    this.status = errors[code].status
    this.context = context
  }
}

export function problem(code: ErrorCode, context: ProblemContext | string = {}): Problem {
  return new Problem(code, typeof context === 'string' ? { detail: context } : context)
}

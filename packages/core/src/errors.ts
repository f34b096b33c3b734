// The one catalogue of errors. Everything that refuses a request refuses it with one of these codes.

interface CatalogueEntry {
  status: number
  title: string
  /** When it happens, and what to do about it. Shown on the error's page. */
  explanation: string
}

export const errors = {
  'invalid-request': {
    status: 400,
    title: 'The request does not fit its schema',
    explanation:
      'Every fault is listed in `errors` with a JSON pointer. Mend them and send the request again.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body could not be read',
    explanation:
      'The body is not what its content type says: broken JSON, a member named twice, invalid UTF-8 or a broken compression stream. Nothing was changed.',
  },
  'unsupported-encoding': {
    status: 415,
    title: 'The content type or content coding is not understood',
    explanation: 'Send `content-type: application/json` without a content coding, or the one the call names.',
  },
  unauthenticated: {
    status: 401,
    title: 'Sign in first',
    explanation:
      'No credential came with the request, or it is wrong, expired or withdrawn. Sign in again or send a valid API token.',
  },
  'invalid-key': {
    status: 401,
    title: 'The SDK key is not known',
    explanation: 'Check the key against the environment settings. Keys belong to one environment.',
  },
  'key-revoked': {
    status: 401,
    title: 'The SDK key was revoked',
    explanation: 'Use a key of the environment that is still active.',
  },
  'origin-not-allowed': {
    status: 403,
    title: 'The origin is not allowed',
    explanation:
      'The request came from a web origin that may not make it. For a client key, list the origin in the environment. For the console, set the public URL of the installation to the address people use.',
  },
  forbidden: {
    status: 403,
    title: 'The permission is missing',
    explanation:
      'The detail names the permission. Someone who manages the project can grant a role that has it.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'There is no such thing here, or you may not see the project it belongs to.',
  },
  'flag-not-found': {
    status: 404,
    title: 'The flag was not found',
    explanation: 'No flag of this key is active in the project, or the key that asked may not see it.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    explanation: 'The `Allow` header lists the methods of this address.',
  },
  'version-conflict': {
    status: 409,
    title: 'Somebody saved first',
    explanation:
      'The version named in `If-Match` is no longer the current one. `current` holds what is saved now: compare, then save again over it.',
  },
  'already-exists': {
    status: 409,
    title: 'It exists already',
    explanation: 'Something with this key, name or address exists. Choose another one.',
  },
  'in-use': {
    status: 409,
    title: 'It is still in use',
    explanation: 'The detail says by what. Remove the reference first.',
  },
  'wrong-state': {
    status: 409,
    title: 'Not possible in the state that it is in',
    explanation:
      'The detail says which state it is in. Somebody else may have decided first: read it again, then choose what is still possible.',
  },
  'guard-running': {
    status: 409,
    title: 'A guarded rollout stands on this',
    explanation:
      'The change touches what a running rollout compares: its split, the values of its two variations, the rules above it, its segments or its prerequisites. `rollouts` names them. Wait for its end, roll it back, or send the change again with their ids in `endsEvidenceOf`: their evidence then begins anew.',
  },
  'last-owner': {
    status: 409,
    title: 'The last owner must stay',
    explanation: 'An installation always keeps one active owner. Make somebody else an owner first.',
  },
  managed: {
    status: 409,
    title: 'Managed by the setup file',
    explanation:
      'The setup file of the installation declares this with `"manage": true`. Change it there; it is applied at the next start.',
  },
  'built-in': {
    status: 409,
    title: 'Built in',
    explanation: 'Every project has this, and it is the same everywhere: it is neither changed nor deleted.',
  },
  'link-expired': {
    status: 410,
    title: 'The link no longer works',
    explanation: 'Invitations and password links work once and for a limited time. Ask for a new one.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    explanation: 'The detail names the limit.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request',
    explanation: 'A key repeats one request and its answer. Send a new key with a new request.',
  },
  'prerequisite-cycle': {
    status: 422,
    title: 'The prerequisites form a circle',
    explanation:
      '`errors` names the flags of the circle in order. Remove one of these prerequisites, then save again.',
  },
  'invalid-rule': {
    status: 422,
    title: 'A targeting rule cannot be evaluated',
    explanation:
      'A rule names something that does not exist, or an operand does not fit its operator: a regular expression that does not compile, text that is no version or date. `errors` points at each one.',
  },
  'invalid-weights': {
    status: 422,
    title: 'The weights do not sum to 100 000',
    explanation: 'Weights are whole numbers from 0 to 100 000, and those of one split sum to 100 000.',
  },
  'invalid-rollout': {
    status: 422,
    title: 'The rollout cannot be guarded like this',
    explanation:
      '`errors` points at each fault: stages that do not grow or exceed what the split has to give, a variation that is not served at this place, a metric that does not exist.',
  },
  'unit-not-measured': {
    status: 422,
    title: 'Telemetry does not know the unit of the split',
    explanation:
      'The guard counts units, and hears of them from browsers. The flag must be visible to clients, and the attribute that its split buckets on must be part of the context there.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation: 'Wait as long as `Retry-After` says, then go on more slowly.',
  },
  'query-too-large': {
    status: 422,
    title: 'The question is too large',
    explanation:
      'It needs more time, memory or rows than one question may have. Narrow the time range or the filters.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'The environment used up its bytes of the day',
    explanation:
      'The installation sets how many bytes of telemetry an environment may send a day. A new day begins at midnight, UTC; until then, sample fewer sessions or ask for more.',
  },
  'spool-full': {
    status: 503,
    title: 'The server keeps no more telemetry at the moment',
    explanation:
      'What was accepted waits for the telemetry engine, and there is no room for more. Nothing of this batch was taken: keep it and send it again after `Retry-After`. `lanes` names what is refused; the rest is still taken in batches of its own.',
  },
  'server-busy': {
    status: 503,
    title: 'The server has too much to do',
    explanation:
      'The server reads as much at once as its memory and its processor allow, and answers flags first. Nothing was changed: send the request again after `Retry-After`.',
  },
  'engine-unavailable': {
    status: 503,
    title: 'A storage engine is not available',
    explanation: 'The server restarts its engines by itself. Try again after `Retry-After`.',
  },
  'too-many-streams': {
    status: 503,
    title: 'Too many event streams are open',
    explanation:
      'This server holds as many streams as it can. Flags are answered as ever: poll them, and try the stream again after `Retry-After`.',
  },
  internal: {
    status: 500,
    title: 'Something broke on our side',
    explanation: 'The fault was logged under the request id. Nothing was changed.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof errors

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}

/** One fault in the input: where (RFC 6901 JSON pointer into body, or `?name` for a query parameter) and what. */
export interface Fault {
  pointer: string
  message: string
}

export interface ProblemContext {
  detail?: string
  errors?: Fault[]
  /** What is saved now, with a version conflict. */
  current?: unknown
  /** Seconds until trying again makes sense. */
  retryAfterSeconds?: number
  /** The permission that was missing. */
  permission?: string
  /** What is refused while the spool is nearly full. */
  lanes?: readonly string[]
  /** Running rollouts that stand on what was to be changed. */
  rollouts?: { id: string; env: string; flag: string; parts: readonly string[] }[]
  /** A period that a question that was too large could be asked about. */
  shorter?: { from: string; to: string }
}

/** An expected refusal. Thrown anywhere below a route, answered there as RFC 9457 problem details. */
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

// A delivery as a deploy: of GitHub, by its event, or of any program in the form of `createDeploy`.

import type { BodyOf } from '@telltale/core/contract/call'
import { createDeploy } from '@telltale/core/contract/deploys'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { compileCheck } from '../../platform/http/validate.ts'

export type DeployDraft = BodyOf<typeof createDeploy>

/** A deploy, or the reason why nothing is recorded. */
export type Read = { deploy: DeployDraft } | { ignored: string }

interface Delivery {
  /** The value of `X-GitHub-Event`; undefined from other senders. */
  event: string | undefined
  body: unknown
  /** Names of the environment, one of which GitHub's must be. */
  environments: readonly string[]
}

const check = compileCheck(createDeploy.body)

/** Throws `invalid-request`. */
export function readDelivery({ event, body, environments }: Delivery): Read {
  if (event === undefined) return { deploy: checked(body) }
  switch (event) {
    case 'deployment_status':
      return readStatus(body, environments)
    case 'release':
      return readRelease(body)
    default:
      return { ignored: `The event ${event.slice(0, 60)} reports no deploy.` }
  }
}

function checked(body: unknown): DeployDraft {
  const found = check(body)
  if ('faults' in found) throw problem('invalid-request', { errors: found.faults })
  return found.value
}

function readStatus(body: unknown, environments: readonly string[]): Read {
  const [status, deployment] = [partOf(body, 'deployment_status'), partOf(body, 'deployment')]
  const state = textOf(status, 'state')
  if (state !== 'success') return { ignored: `The state is ${state ?? 'missing'}, not success.` }
  const where = textOf(deployment, 'environment') ?? ''
  if (!environments.some((name) => name.toLowerCase() === where.toLowerCase())) {
    return { ignored: `It is about the environment ${where.slice(0, 60)}. Add ?environment= to the address.` }
  }
  return {
    deploy: checked(
      withoutMissing({
        // What the application reports as its version is best named by the pipeline.
        version:
          textOf(partOf(deployment, 'payload'), 'version') ?? tagOf(deployment) ?? textOf(deployment, 'sha'),
        at: instantOf(textOf(status, 'created_at')),
        author: textOf(partOf(deployment, 'creator'), 'login')?.slice(0, limits.nameLength),
        link: linkOf(textOf(status, 'log_url') ?? textOf(status, 'target_url')),
      }),
    ),
  }
}

function readRelease(body: unknown): Read {
  const action = textOf(body, 'action')
  if (action !== 'published') return { ignored: `The release is ${action ?? 'not'}, not published.` }
  const release = partOf(body, 'release')
  return {
    deploy: checked(
      withoutMissing({
        version: textOf(release, 'tag_name'),
        at: instantOf(textOf(release, 'published_at')),
        author: textOf(partOf(release, 'author'), 'login')?.slice(0, limits.nameLength),
        link: linkOf(textOf(release, 'html_url')),
      }),
    ),
  }
}

/** A ref with a digit is a tag like `v1.2.0`; a branch is no version. */
function tagOf(deployment: unknown): string | undefined {
  const ref = textOf(deployment, 'ref')
  return ref !== undefined && /^v?\d+\.\d/.test(ref) ? ref : undefined
}

const linkOf = (text: string | undefined) => (text !== undefined && /^https?:/.test(text) ? text : undefined)

/** GitHub's have no milliseconds or an offset. */
function instantOf(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}

function textOf(value: unknown, name: string): string | undefined {
  const text = partOf(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

function withoutMissing(fields: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

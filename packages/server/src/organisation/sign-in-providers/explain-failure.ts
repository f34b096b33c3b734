import { Problem, problem } from '@telltale/core/errors'
import * as oidc from 'openid-client'
import { Unanswered } from '../../platform/http/guarded-fetch.ts'
import type { Log } from '../../platform/process/log.ts'

/** Runs work at a provider. What fails is logged with its cause, and thrown as a problem that says what to do. */
export async function atProvider<Done>(
  { log, provider }: { log: Log; provider: string },
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    const explained = explainFailure(error)
    log.warn({ err: error, cause: causeOf(error), provider }, explained.message)
    throw explained
  }
}

export function explainFailure(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnanswered(error)) {
    return problem('provider-unavailable', 'The sign-in provider does not respond. Try again later.')
  }
  if (error instanceof oidc.AuthorizationResponseError) {
    return problem('sign-in-failed', `The provider refused: ${said(error.error, error.error_description)}`)
  }
  if (error instanceof oidc.ResponseBodyError) {
    if (error.status >= 500) {
      return problem('provider-unavailable', `The sign-in provider failed with status ${error.status}.`)
    }
    return problem('sign-in-failed', explainRefusal(error))
  }
  const status = statusOf(error)
  if (status !== undefined && status >= 500) {
    return problem('provider-unavailable', `The sign-in provider failed with status ${status}.`)
  }
  const code = codeOf(error)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return problem(
      'sign-in-failed',
      'The response has expired or is from the future. The clocks of this server and of the provider differ.',
    )
  }
  return problem(
    'sign-in-failed',
    'The response of the provider is not valid. The log of the server has the reason.',
  )
}

function explainRefusal({ error, error_description: description }: oidc.ResponseBodyError): string {
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return `The provider does not accept the client: ${said(error, description)} Check its ID, secret and authentication method.`
  }
  if (error === 'invalid_grant')
    return 'The code of the provider has expired or was used before. Start again.'
  return `The provider refused: ${said(error, description)}`
}

const saidLength = 200

/** Texts of the provider, which an attacker can put into the address of the page. */
function said(code: string, description: string | undefined): string {
  const words = [code, description].filter((part) => part !== undefined).join(', ')
  return `"${words.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, saidLength)}".`
}

/** An error, its cause, the cause of that, and so on. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (
    let at = error;
    at !== undefined && chain.length < 5;
    at = at instanceof Error ? at.cause : undefined
  ) {
    chain.push(at)
  }
  return chain
}

function codeOf(error: unknown): string | undefined {
  for (const at of chainOf(error)) {
    if (at instanceof Error && 'code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}

const statusOf = (error: unknown) => chainOf(error).find((at) => at instanceof Response)?.status
const isUnanswered = (error: unknown) => chainOf(error).some((at) => at instanceof Unanswered)

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
}

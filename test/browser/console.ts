import { expect, type Page } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from './built-server.ts'

export const owner = {
  name: 'Mara Oduya',
  email: 'mara@pedalandpost.example',
  password: 'seven calm geese walk home',
}
export const project = { key: 'pedal-post', name: 'Pedal & Post' }

interface ConsoleOptions {
  withProject?: boolean
  /** Whether the console asks for flags of its own. */
  ownProject?: 'on' | 'off'
  /** With a telemetry store. */
  telemetry?: boolean
  /** In its data folder, not those of all tests. */
  ownEngines?: boolean
  settings?: Record<string, string>
}

/** A server that has its owner already, and a project unless told otherwise. */
export async function startConsole({
  withProject = true,
  ownProject = 'off',
  telemetry = false,
  ownEngines = false,
  settings = {},
}: ConsoleOptions = {}): Promise<BuiltServer> {
  const server = await startBuiltServer({ ownProject, telemetry, ownEngines, settings })
  const code = new URL(server.setupUrl).searchParams.get('code')
  const answer = await fetch(`${server.url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, owner, ...(withProject ? { project } : {}) }),
  })
  expect(answer.status).toBe(201)
  return server
}

export async function fillSignIn(page: Page, password = owner.password): Promise<void> {
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signed in without the screen for it: the cookie is the page's. */
export async function signIn(
  page: Page,
  { url }: { url: string },
  { email, password }: { email: string; password: string } = owner,
): Promise<void> {
  const answer = await page.request.post(`${url}/api/v1/sign-in`, {
    headers: { origin: url },
    data: { email, password },
  })
  expect(answer.ok()).toBe(true)
}

/** Everything the browser complains about: errors, refused content, failed requests. */
export function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    // Chromium says every refusal of the server again, which is no fault of the page; nor is a store that is not there.
    if (/the server responded with a status of (4|503)/.test(message.text())) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

// Playlists of sessions: made from a session, arranged, played, and what is deleted from them.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import { listenForComplaints, signIn } from './console.ts'
import { type FlagServer, shopOwner } from './flag-server.ts'
import { startWithWalks } from './recorded-sessions.ts'

let server: FlagServer
const environment = '/api/v1/projects/shop/environments/production'
const [first, second, gone] = [newId(), newId(), newId()]

// One story, told in order.
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startWithWalks([first, second])
})
test.afterAll(() => server?.[Symbol.asyncDispose]())
test.beforeEach(({ page }) => signIn(page, server, shopOwner))

const at = (path: string) => `${server.url}/p/shop${path}${path.includes('?') ? '&' : '?'}env=production`
const items = (page: Page) => page.getByRole('table', { name: 'Sessions of the playlist' }).getByRole('row')
const openPlaylist = async (page: Page) => {
  await page.goto(at('/playlists'))
  await page.getByRole('link', { name: 'Checkout' }).click()
  await expect(items(page).nth(1)).toBeVisible()
}

test('without playlists, the screen says what they are for', async ({ page }) => {
  await page.goto(at('/playlists'))
  await expect(page.getByText('No playlists in')).toBeVisible()
  await expectAccessibleInThemes(page)
})

test('a session is added to a new playlist and kept', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(at(`/sessions/${first}`))
  await page.getByRole('button', { name: 'Add to playlist…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' })
  await dialog.getByRole('button', { name: 'Add session' }).click()
  await expect(dialog.getByText('Give the playlist a name.')).toBeVisible()
  await dialog.getByLabel('Name of the new playlist').fill('Checkout')
  await dialog.getByLabel('Note').fill('Pays at the second try')
  await dialog.getByLabel('Keep the replay past its retention').check()
  await expectAccessibleInThemes(page)
  await dialog.getByRole('button', { name: 'Add session' }).press('Enter')
  await expect(page.getByText('Added to Checkout.')).toBeVisible()
  await page.getByRole('button', { name: 'Open playlist' }).click()
  await expect(items(page).nth(1)).toContainText('Pays at the second try')
  await expect(items(page).nth(1)).toContainText('Kept.')
  expect(complaints).toEqual([])
})

test('sessions are added from the list, moved, removed and put back', async ({ page }) => {
  await page.goto(at(`/sessions?peek=${second}`))
  await page.getByRole('button', { name: 'Add to playlist…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' })
  await expect(dialog.getByLabel('Playlist')).toHaveValue(/.+/)
  await dialog.getByRole('button', { name: 'Add session' }).click()
  await expect(page.getByText('Added to Checkout.')).toBeVisible()

  const { items: known } = (await server.get(`${environment}/playlists`)) as { items: { id: string }[] }
  await server.post(`${environment}/playlists/${known[0]?.id}/sessions`, { sessions: [gone] })
  await openPlaylist(page)
  await expect(items(page)).toHaveCount(4)
  await expect(items(page).nth(3)).toContainText('Deleted session')
  await expectAccessibleInThemes(page)

  await page.getByRole('button', { name: 'Move session 1 down' }).press('Enter')
  await expect(items(page).nth(2)).toContainText('Pays at the second try')
  await page.getByRole('button', { name: 'Remove session 2' }).click()
  await expect(items(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(items(page).nth(2)).toContainText('Pays at the second try')

  await page.getByRole('button', { name: 'Note on session 1…' }).click()
  await page.getByLabel('Why it is in the playlist').fill('Leaves at once')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(items(page).nth(1)).toContainText('Leaves at once')
})

test('it is played from one session to the next', async ({ page }) => {
  await openPlaylist(page)
  await page.getByRole('link', { name: 'Play', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(second))
  await expect(page.getByText('1 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous session' })).toBeDisabled()
  await page.keyboard.press('Shift+J')
  await expect(page).toHaveURL(new RegExp(first))
  await expect(page.getByRole('button', { name: 'Next session' })).toBeDisabled()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Checkout' }).click()
  await expect(items(page).nth(1)).toContainText('Leaves at once')
})

test('it is renamed, deleted and restored', async ({ page }) => {
  await openPlaylist(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Checkout trouble')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout trouble')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('No playlists in')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(items(page).nth(1)).toContainText('Leaves at once')
  await expect(items(page)).toHaveCount(4)
})

test('viewers watch and change nothing', async ({ page }) => {
  const invited = (await server.post('/api/v1/projects/shop/invitations', {
    ...{ email: 'vi@example.com', role: 'viewer' },
  })) as { url: string }
  await page.context().clearCookies()
  await page.request.post(`${server.url}/api/v1/invitation/accept`, {
    headers: { origin: server.url },
    data: { token: new URL(invited.url).hash.slice(1), name: 'Vi', password: shopOwner.password },
  })
  await page.goto(at('/playlists'))
  await page.getByRole('link', { name: 'Checkout trouble' }).click()
  await expect(page.getByRole('link', { name: 'Play', exact: true })).toBeVisible()
  await expect(page.getByText('Read-only')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove session 1' })).toHaveCount(0)
  await expectAccessible(page)
})

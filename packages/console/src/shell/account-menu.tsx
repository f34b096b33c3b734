import { Link, useRouter } from '@tanstack/react-router'
import { signOut } from '../api/accounts.ts'
import { toProblem } from '../api/problem.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { setLettersOff, useLettersOff } from '../ui/keyboard.tsx'
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLabel, MenuLine, MenuLink } from '../ui/overlay/menu.tsx'
import { showToast } from '../ui/overlay/toast.tsx'
import { Avatar } from '../ui/tag.tsx'
import { useAccount } from './account.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'

const themeChoices: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Screens about the account and the installation, in the order of the route table. */
const places: { to: string; label: string; icon: IconName; owner?: true }[] = [
  { to: '/account', label: 'Account and tokens', icon: 'identity' },
  { to: '/admin', label: 'Installation', icon: 'settings', owner: true },
]

export function AccountMenu({ small, onSmall }: { small: boolean; onSmall?: (small: boolean) => void }) {
  const { user } = useAccount()
  const theme = useTheme()
  const lettersOff = useLettersOff()
  const router = useRouter()
  const existing = places.filter(
    ({ to, owner }) => Object.hasOwn(router.routesByPath, to) && (!owner || user.role === 'owner'),
  )

  return (
    <Menu
      trigger={
        <button
          type="button"
          className={`flex h-ctl min-w-0 cursor-pointer items-center gap-8 rounded-control px-4 text-left hover:bg-hover ${small ? '' : 'flex-1'}`}
        >
          <Avatar name={user.name} />
          <span className="sr-only">{small ? `Account: ${user.name}` : 'Account: '}</span>
          {!small && <span className="truncate text-12 text-text-2">{user.name}</span>}
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      {existing.map((place) => (
        <MenuLink key={place.to}>
          <Link to={place.to}>
            <Icon name={place.icon} className="size-16 text-text-3" />
            {place.label}
          </Link>
        </MenuLink>
      ))}
      {existing.length > 0 && <MenuLine />}
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice label="Theme" choices={themeChoices} value={theme} onValue={setTheme} />
      <MenuLine />
      <MenuCheck checked={!lettersOff} onChecked={(on) => setLettersOff(!on)}>
        Single-key shortcuts
      </MenuCheck>
      {onSmall && (
        <MenuCheck checked={small} onChecked={onSmall}>
          Collapse sidebar
        </MenuCheck>
      )}
      <MenuLine />
      <MenuItem icon="out" onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

/** A full page load clears the old session's data from memory. */
export async function leave(): Promise<void> {
  let next = '/sign-in'
  try {
    // The provider returns to the sign-in page.
    next = (await signOut()).providerUrl ?? next
  } catch (error) {
    const problem = toProblem(error)
    if (!problem.is('unauthenticated')) {
      showToast({ text: `You are still signed in. ${problem.title}.` })
      return
    }
  }
  window.location.assign(next)
}

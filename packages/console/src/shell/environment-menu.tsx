import { useState } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { EnvironmentMark } from '../ui/environment-mark.tsx'
import { Icon } from '../ui/icon.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { Menu, MenuChoice, MenuLabel } from '../ui/overlay/menu.tsx'
import { useScope, useSetScope } from './scope-context.ts'

/** Selects the environment of the screen. */
export function EnvironmentMenu() {
  const { environment, environments } = useScope()
  const setScope = useSetScope()
  const [open, setOpen] = useState(false)
  useShortcut({ keys: 'e', label: 'Environment', run: () => setOpen(true) })

  return (
    <Menu
      align="end"
      open={open}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className={`${buttonClass()} min-w-[44px] shrink overflow-hidden`}
          aria-label={`Environment: ${environment.name}`}
        >
          <EnvironmentMark environment={environment} />
          <span className="max-w-[16ch] truncate max-wide:max-w-[9ch]">{environment.name}</span>
          <Icon name="down" className="size-16 text-text-2" />
        </button>
      }
    >
      <MenuLabel>Environment</MenuLabel>
      <MenuChoice
        label="Environment"
        value={environment.key}
        onValue={(env) => setScope({ env })}
        choices={environments.map((one) => ({
          value: one.key,
          label: (
            <>
              <EnvironmentMark environment={one} />
              <span className="min-w-0 flex-1 truncate">{one.name}</span>
              {one.protected && <Icon name="lock" className="size-12 text-text-3" />}
            </>
          ),
        }))}
      />
    </Menu>
  )
}

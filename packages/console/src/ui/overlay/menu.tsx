import { DropdownMenu as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon.tsx'

const panel =
  'z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-menu max-w-card origin-(--radix-dropdown-menu-content-transform-origin) animate-open overflow-y-auto rounded-panel border border-line-strong bg-surface p-4 shadow-menu'
const row =
  'flex min-h-ctl cursor-pointer select-none items-center gap-8 rounded-control px-8 py-4 outline-none data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:text-text-disabled'

type MenuProps = {
  trigger: ReactNode
  align?: 'start' | 'end' | 'center'
  open?: boolean
  onOpen?: (open: boolean) => void
  children: ReactNode
}

/** A menu of actions. Not modal: the scroll lock's style sheet is blocked by our content security policy. */
export function Menu({ trigger, align = 'start', open, onOpen, children }: MenuProps) {
  return (
    <Primitive.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpen ? { onOpenChange: onOpen } : {})}
    >
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content align={align} sideOffset={4} collisionPadding={8} className={panel}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type MenuItemProps = {
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, danger, disabled, onSelect, children }: MenuItemProps) {
  return (
    <Primitive.Item
      className={`${row} ${danger ? 'text-bad' : ''}`}
      disabled={disabled ?? false}
      onSelect={onSelect}
    >
      {icon && <Icon name={icon} className={`size-16 ${danger ? '' : 'text-text-3'}`} />}
      {children}
    </Primitive.Item>
  )
}

/** A router link (or any anchor) as a menu item. */
export function MenuLink({ children }: { children: ReactNode }) {
  return (
    <Primitive.Item asChild className={row}>
      {children}
    </Primitive.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-8 pt-6 pb-2 text-11 text-text-3">{children}</Primitive.Label>
}

export function MenuLine() {
  return <Primitive.Separator className="my-4 border-line border-t" />
}

type MenuChoiceProps<Value extends string> = {
  label: string
  choices: readonly { value: Value; label: ReactNode }[]
  value: Value
  onValue: (value: Value) => void
}

export function MenuChoice<Value extends string>({ label, choices, value, onValue }: MenuChoiceProps<Value>) {
  return (
    <Primitive.RadioGroup aria-label={label} value={value}>
      {choices.map((choice) => (
        <Primitive.RadioItem
          key={choice.value}
          value={choice.value}
          className={row}
          onSelect={() => onValue(choice.value)}
        >
          <span className="flex min-w-0 flex-1 items-center gap-8">{choice.label}</span>
          <Primitive.ItemIndicator>
            <Icon name="check" className="size-16 text-accent" />
          </Primitive.ItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  )
}

type MenuCheckProps = { checked: boolean; onChecked: (checked: boolean) => void; children: ReactNode }

export function MenuCheck({ checked, onChecked, children }: MenuCheckProps) {
  return (
    <Primitive.CheckboxItem
      className={row}
      checked={checked}
      onCheckedChange={onChecked}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="grid size-16 place-items-center rounded-chip border border-control">
        <Primitive.ItemIndicator>
          <Icon name="check" className="size-12" />
        </Primitive.ItemIndicator>
      </span>
      {children}
    </Primitive.CheckboxItem>
  )
}

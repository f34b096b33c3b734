import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Tooltip } from './overlay/tooltip.tsx'

const looks = {
  primary: 'border-ink bg-ink text-on-ink shadow-control enabled:hover:opacity-90',
  normal: 'border-line-strong bg-surface text-text shadow-control enabled:hover:bg-hover',
  quiet: 'border-transparent text-text-2 enabled:hover:bg-hover enabled:hover:text-text',
  danger: 'border-line-strong bg-surface text-bad shadow-control enabled:hover:bg-bad-soft',
  'danger-fill': 'border-bad bg-bad text-canvas shadow-control enabled:hover:opacity-90',
}
const sizes = { normal: 'h-ctl px-10', small: 'h-24 px-8 text-12' }

export type ButtonLook = keyof typeof looks

/** Also for links that look like buttons. */
export function buttonClass(look: ButtonLook = 'normal', size: keyof typeof sizes = 'normal'): string {
  return `inline-flex shrink-0 cursor-pointer items-center justify-center gap-6 whitespace-nowrap rounded-control border font-medium transition-colors duration-(--t1) disabled:cursor-not-allowed disabled:text-text-disabled disabled:shadow-none aria-busy:cursor-progress aria-busy:opacity-60 ${looks[look]} ${sizes[size]}`
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>
  look?: ButtonLook
  size?: keyof typeof sizes
  icon?: IconName
  /** Pending: cannot be pressed again, keeps the focus. */
  busy?: boolean
}

export function Button({ look, size, icon, busy, children, onClick, ...rest }: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    // The second click of a double click arrives before the pending state is rendered.
    if (busy || (rest.type === 'submit' && event.detail > 1)) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      className={`${buttonClass(look, size)} disabled:border-line-strong disabled:bg-sunken`}
      aria-busy={busy || undefined}
      onClick={press}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  ref?: Ref<HTMLButtonElement>
  icon: IconName
  label: string
  look?: ButtonLook
  small?: boolean
}

export function IconButton({ icon, label, look = 'quiet', small = false, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={`inline-grid shrink-0 cursor-pointer place-items-center rounded-control border transition-colors duration-(--t1) disabled:cursor-not-allowed disabled:text-text-disabled ${looks[look]} ${small ? 'size-24' : 'size-ctl'}`}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}

/** Closes its container. Without a tooltip, which would open when the dialog moves the focus to it. */
export function CloseButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      aria-label="Close"
      className="-my-2 inline-grid size-ctl shrink-0 cursor-pointer place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text"
      {...props}
    >
      <Icon name="close" />
    </button>
  )
}

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FlagTelltale } from '../telltale/flag-telltale.tsx'

type FlagLinkProps = {
  /** Its key. */
  flag: string
  /** The environment that it is shown in. Default: the one of this screen. */
  env?: string
  /** With it the link looks like a button. Default: the key. */
  children?: ReactNode
}

/** A flag that is named somewhere, with its telltale where it has a guard, and the way to what it does there. */
export function FlagLink({ flag, env, children }: FlagLinkProps) {
  const { project, environment } = useScope()
  return (
    <>
      <Link
        to="/p/$project/flags/$flag"
        params={{ project, flag }}
        search={{ env: env ?? environment.key }}
        className={children ? buttonClass('normal', 'small') : linkClass}
      >
        {children ?? flag}
      </Link>
      {!children && <FlagTelltale flag={flag} {...(env === undefined ? {} : { env })} look="mark" />}
    </>
  )
}

const linkClass = 'min-w-0 font-code text-accent [overflow-wrap:anywhere] hover:underline'

import type { ButtonHTMLAttributes } from 'react'

const looks = {
  primary: 'border-ink bg-ink text-on-ink hover:opacity-90',
  normal: 'border-line-strong bg-surface text-text hover:bg-hover',
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof looks }

export function Button({ look = 'normal', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex h-ctl cursor-pointer items-center justify-center whitespace-nowrap rounded-control border px-12 font-medium shadow-control transition-colors duration-(--t1) disabled:cursor-progress disabled:opacity-60 ${looks[look]}`}
      {...rest}
    />
  )
}

import Link from 'next/link'
import { Values } from './values'

export default function Page() {
  return (
    <>
      <Values />
      <Link href="/crash">crash</Link>
    </>
  )
}

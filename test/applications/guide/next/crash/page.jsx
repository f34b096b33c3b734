'use client'

export default function Crash() {
  if (typeof window !== 'undefined') throw new Error('the shelf is empty')
  return <p>the server renders it</p>
}

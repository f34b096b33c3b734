// Names and tags within the limits of a flag here.

import { limits } from '../limits.ts'

/** The text, or the fallback where it is empty. */
export function textOf(text: string | null | undefined, fallback: string): string {
  return ((text ?? '').trim() || fallback).slice(0, limits.nameLength).trim() || 'Unnamed'
}

export function tagsOf(tags: readonly string[]): string[] {
  const short = tags.map((tag) => tag.trim().slice(0, limits.tagLength)).filter((tag) => tag !== '')
  return [...new Set(short)].slice(0, limits.tagsPerFlag)
}

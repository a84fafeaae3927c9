import { z } from 'zod'

/** This setting keeps how often each fault of a world's profile has struck, in the order of the faults. */
export const PROFILE_STRUCK = 'profile-struck'

export const MOST_PROFILE_FAULTS = 100

export const profileStruck = z.array(z.int().min(0)).max(MOST_PROFILE_FAULTS)

const PREFIX = 'profile-'

/** Faults of a profile are numbered from 1. */
export function toProfileFaultId(place: number): string {
  return `${PREFIX}${place + 1}`
}

export function placeInProfile(faultId: string): number {
  return Number(faultId.slice(PREFIX.length)) - 1
}

/** The text was checked when it was kept. */
export function readKeptStruck(kept: { value: string } | undefined): readonly number[] {
  return kept ? (JSON.parse(kept.value) as number[]) : []
}

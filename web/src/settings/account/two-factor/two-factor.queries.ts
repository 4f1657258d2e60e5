import { queryClient, refreshAccount, wholeDocent } from '../../../access/access.ts'

type Proof = Parameters<ReturnType<typeof wholeDocent>['account']['twoFactor']['remove']>[0]

export const beginTwoFactor = (password: string) => wholeDocent().account.twoFactor.begin(password)

/** @returns recovery codes, shown this once */
export async function confirmTwoFactor(code: string): Promise<string[]> {
  const { recovery_codes } = await wholeDocent().account.twoFactor.confirm(code)
  await refreshAccount(queryClient)
  return recovery_codes
}

/** @returns recovery codes, shown this once */
export async function renewRecoveryCodes(proof: Proof): Promise<string[]> {
  const { recovery_codes } = await wholeDocent().account.twoFactor.renewRecoveryCodes(proof)
  await refreshAccount(queryClient)
  return recovery_codes
}

export async function removeTwoFactor(proof: Proof): Promise<void> {
  await wholeDocent().account.twoFactor.remove(proof)
  await refreshAccount(queryClient)
}

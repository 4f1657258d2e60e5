import { docent, queryClient, refreshAccount } from '../../../access/access.ts'

type Proof = Parameters<ReturnType<typeof docent>['account']['twoFactor']['remove']>[0]

export const beginTwoFactor = (password: string) => docent().account.twoFactor.begin(password)

/** @returns recovery codes, shown this once */
export async function confirmTwoFactor(code: string): Promise<string[]> {
  const { recovery_codes } = await docent().account.twoFactor.confirm(code)
  await refreshAccount(queryClient)
  return recovery_codes
}

/** @returns recovery codes, shown this once */
export async function renewRecoveryCodes(proof: Proof): Promise<string[]> {
  const { recovery_codes } = await docent().account.twoFactor.renewRecoveryCodes(proof)
  await refreshAccount(queryClient)
  return recovery_codes
}

export async function removeTwoFactor(proof: Proof): Promise<void> {
  await docent().account.twoFactor.remove(proof)
  await refreshAccount(queryClient)
}

import { z } from 'zod'

const Identity = z.object({
  id: z.string().nullish(),
  displayName: z.string().nullish(),
  email: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
  /** Claim by which SharePoint knows somebody, such as `i:0#.f|membership|ada@example.com`. */
  loginName: z.string().nullish(),
})

const IdentitySet = z.object({
  user: Identity.nullish(),
  group: Identity.nullish(),
  siteUser: Identity.nullish(),
  siteGroup: Identity.nullish(),
  sharePointGroup: Identity.nullish(),
})
export type IdentitySet = z.infer<typeof IdentitySet>

/** One permission on a file, with what is read of it: of a person or a group, or of those who have a link. */
export const Permission = z.object({
  roles: z.array(z.string()).nullish(),
  grantedToV2: IdentitySet.nullish(),
  grantedToIdentitiesV2: z.array(IdentitySet).nullish(),
  /** Form of OneDrives for personal use, and of older answers. */
  grantedTo: IdentitySet.nullish(),
  grantedToIdentities: z.array(IdentitySet).nullish(),
  link: z
    .object({
      scope: z.string().nullish(),
      type: z.string().nullish(),
      preventsDownload: z.boolean().nullish(),
    })
    .nullish(),
  invitation: z.object({ email: z.string().nullish() }).nullish(),
  expirationDateTime: z.string().nullish(),
  hasPassword: z.boolean().nullish(),
})
export type Permission = z.infer<typeof Permission>

/** The tag of an image, which mostly is its version: of `registry.example:5000/a/b:1.2@sha256:…` it is `1.2`. */
export function tagOf(image: string): string | undefined {
  const [name = ''] = image.split('@', 1);
  return /:([\w][\w.-]{0,127})$/.exec(name)?.[1];
}

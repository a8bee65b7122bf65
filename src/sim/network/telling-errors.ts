// A port that tells of every error that comes out of it, before its caller has a chance to map, log or swallow it. It changes nothing,
// not even when its caller goes on.

export function tellingErrors<P extends object>(port: P, tell: (error: unknown, method: string) => void): P {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (result instanceof Promise) result.catch((error: unknown) => tell(error, String(name)));
        return result;
      };
    },
  });
}

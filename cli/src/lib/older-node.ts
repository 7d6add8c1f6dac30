// What Node.js 20 lacks of the language and the code shared with the browser uses.

Promise.withResolvers ??= function withResolvers<T>(this: PromiseConstructor) {
  let resolve!: PromiseWithResolvers<T>["resolve"];
  let reject!: PromiseWithResolvers<T>["reject"];
  const promise = new Promise<T>((resolving, rejecting) => {
    resolve = resolving;
    reject = rejecting;
  });
  return { promise, resolve, reject };
};

import { EnvironmentsSkeleton } from "@/components/environments/environments-skeleton";

export default function Loading() {
  return <EnvironmentsSkeleton cards={3} columns={3} />;
}

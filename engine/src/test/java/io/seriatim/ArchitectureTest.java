package io.seriatim;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/architecture.md says about the engine, and what the compiler cannot check. */
class ArchitectureTest {

    private static final String ENTRY = "io.seriatim";
    private static final String STORE = "io.seriatim.store";
    private static final String MEMORY = "io.seriatim.memory";
    private static final String NUMBERING = "io.seriatim.numbering";
    private static final String CONVERT = "io.seriatim.numbering.convert";
    private static final String EVENTLOG = "io.seriatim.eventlog";
    private static final String APPLICATION = "io.seriatim.eventlog.application";
    private static final String TRANSACTION = "io.seriatim.transaction";

    /** Which package may use which others of ours. */
    private static final Map<String, Set<String>> USES = Map.of(
            STORE, Set.of(),
            ENTRY, Set.of(STORE),
            MEMORY, Set.of(STORE),
            NUMBERING, Set.of(ENTRY, STORE, MEMORY),
            CONVERT, Set.of(ENTRY, NUMBERING),
            EVENTLOG, Set.of(ENTRY, STORE, MEMORY),
            APPLICATION, Set.of(ENTRY, EVENTLOG, STORE),
            TRANSACTION, Set.of(ENTRY, STORE, MEMORY));

    /** The one class through which time, threads and randomness come in. */
    private static final String SYSTEM_ENVIRONMENT = "io.seriatim.SystemEnvironment";

    /** Types that are such a source: neither made nor asked for an instance, only taken from a parameter. */
    private static final Set<String> SOURCES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadBuilders",
            "java.lang.ref.Cleaner",
            "java.security.SecureRandom",
            "java.util.Calendar",
            "java.util.Date",
            "java.util.GregorianCalendar",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.Timer",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.SubmissionPublisher",
            "java.util.concurrent.ThreadLocalRandom",
            "java.util.concurrent.ThreadPoolExecutor",
            "java.util.random.RandomGenerator",
            "java.util.random.RandomGeneratorFactory");

    /** What a thread may ask about itself; {@code sleep} is not among it. */
    private static final Set<String> READS_OF_THE_CURRENT_THREAD =
            Set.of("currentThread", "interrupted", "holdsLock", "onSpinWait", "yield");

    /** Calls that reach such a source by themselves. */
    private static final Set<String> CALLS = Set.of(
            "java.lang.Math.random",
            "java.lang.Runtime.addShutdownHook",
            "java.lang.StrictMath.random",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.time.Clock.system",
            "java.time.Clock.systemDefaultZone",
            "java.time.Clock.systemUTC",
            "java.time.Clock.tickMillis",
            "java.time.Clock.tickMinutes",
            "java.time.Clock.tickSeconds",
            "java.time.ZoneId.systemDefault",
            "java.util.Arrays.parallelPrefix",
            "java.util.Arrays.parallelSetAll",
            "java.util.Arrays.parallelSort",
            "java.util.TimeZone.getDefault",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.CompletableFuture.completeOnTimeout",
            "java.util.concurrent.CompletableFuture.delayedExecutor",
            "java.util.concurrent.CompletableFuture.orTimeout");

    private static final JavaClasses ENGINE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.seriatim");

    @Test
    void packages_useOnlyThoseBelowThem() {
        assertThat(ENGINE).as("classes of the engine").isNotEmpty();
        Set<String> findings = new TreeSet<>();
        for (JavaClass user : ENGINE) {
            Set<String> allowed = USES.get(user.getPackageName());
            if (allowed == null) {
                findings.add("a package that the architecture does not know: " + user.getPackageName());
                continue;
            }
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (isOurs(used)
                        && !used.getPackage().equals(user.getPackage())
                        && !allowed.contains(used.getPackageName())) {
                    findings.add(dependency.getDescription());
                }
            }
        }
        assertThat(findings).as("uses of a package beside or above").isEmpty();
    }

    @Test
    void engine_takesTimeThreadsAndRandomnessFromOutside() {
        Set<String> findings = new TreeSet<>();
        for (JavaClass user : ENGINE) {
            if (isSystemEnvironment(user)) {
                continue;
            }
            findings.addAll(hiddenSources(user));
        }
        assertThat(findings)
                .as("clocks, threads, timers and randomness outside " + SYSTEM_ENVIRONMENT)
                .isEmpty();
    }

    @Test
    void packages_areNullMarked() {
        Repository repository = Repository.here();
        Set<String> findings = new TreeSet<>();
        for (Path file : repository.files(".java")) {
            Path description = file.resolveSibling("package-info.java");
            boolean production = repository.nameOf(file).contains("/src/main/java/");
            if (production
                    && !(Files.exists(description)
                            && Repository.read(description).contains("@NullMarked"))) {
                findings.add(repository.nameOf(description));
            }
        }
        assertThat(findings)
                .as("packages without a package-info.java that says @NullMarked")
                .isEmpty();
    }

    @Test
    void search_findsSourcesInCallsConstructorsAndReferences() {
        JavaClass hiding = new ClassFileImporter().importClass(Hiding.class);
        JavaClass given = new ClassFileImporter().importClass(Given.class);

        assertThat(hiddenSources(hiding)).hasSize(9);
        assertThat(hiddenSources(given)).isEmpty();
    }

    /** Reaches one source in each method. */
    static final class Hiding {

        Instant clock() {
            return Instant.now();
        }

        LongSupplier reference() {
            return System::nanoTime;
        }

        Thread thread(Runnable task) {
            return new Thread(task);
        }

        void pause() throws InterruptedException {
            Thread.sleep(1);
        }

        ExecutorService pool() {
            return Executors.newCachedThreadPool();
        }

        CompletableFuture<Void> commonPool(Runnable task) {
            return CompletableFuture.runAsync(task);
        }

        Stream<String> parallel(List<String> items) {
            return items.parallelStream();
        }

        double randomness() {
            return Math.random();
        }

        UUID id() {
            return UUID.randomUUID();
        }
    }

    /** Uses what it was given. */
    static final class Given {

        Instant clock(Clock clock) {
            return Instant.now(clock);
        }

        CompletableFuture<Void> executor(Runnable task, Executor executor) {
            return CompletableFuture.runAsync(task, executor).thenRunAsync(task, executor);
        }

        long randomness(Random random) {
            return random.nextLong();
        }

        void interrupt() {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().equals(ENTRY) || type.getPackageName().startsWith(ENTRY + ".");
    }

    private static boolean isSystemEnvironment(JavaClass type) {
        return type.getName().equals(SYSTEM_ENVIRONMENT) || type.getName().startsWith(SYSTEM_ENVIRONMENT + "$");
    }

    private static Set<String> hiddenSources(JavaClass user) {
        Set<String> findings = new TreeSet<>();
        if (user.isAssignableTo(Thread.class)) {
            findings.add("a class that is a thread: " + user.getName());
        }
        for (JavaCodeUnitAccess<?> access : user.getCodeUnitAccessesFromSelf()) {
            if (isHidden(access)) {
                findings.add(access.getDescription());
            }
        }
        return findings;
    }

    /** Whether a call or a method reference reaches a clock, a thread, a timer or randomness that nobody gave us. */
    private static boolean isHidden(JavaCodeUnitAccess<?> access) {
        CodeUnitAccessTarget target = access.getTarget();
        JavaClass owner = target.getOwner();
        String name = target.getName();
        boolean made = name.equals(JavaConstructor.CONSTRUCTOR_NAME);
        boolean ofType = target.resolveMember()
                .map(unit -> unit.getModifiers().contains(JavaModifier.STATIC))
                .orElse(false);
        return (made || ofType) && SOURCES.contains(owner.getName()) && !READS_OF_THE_CURRENT_THREAD.contains(name)
                || CALLS.contains(owner.getName() + "." + name)
                || readsSystemClock(target)
                || usesCommonPool(target);
    }

    /** {@code now()} of a class of java.time, unless a clock is given. */
    private static boolean readsSystemClock(CodeUnitAccessTarget target) {
        return target.getOwner().getPackageName().startsWith("java.time")
                && target.getName().equals("now")
                && !isGiven(target, Clock.class);
    }

    /** A stage or stream that runs on the pool all of a process shares, because no executor is given. */
    private static boolean usesCommonPool(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        return owner.isAssignableTo(CompletionStage.class) && name.endsWith("Async") && !isGiven(target, Executor.class)
                || owner.isAssignableTo(Collection.class) && name.equals("parallelStream")
                || owner.isAssignableTo(BaseStream.class) && name.equals("parallel");
    }

    private static boolean isGiven(CodeUnitAccessTarget target, Class<?> type) {
        return target.getRawParameterTypes().stream().anyMatch(parameter -> parameter.isAssignableTo(type));
    }
}
